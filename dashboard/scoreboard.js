// Asks for the middle of the scoreboard again and again. Old words on purpose: televisions know no newer ones.
(function () {
  var POLL_MS = 1000, AGAIN_MS = 3000, TIMEOUT_MS = 5000;
  var part = document.getElementById('part'), lost = document.getElementById('lost'), shown = null;
  function again(after) { setTimeout(ask, after); }
  function fail() { lost.hidden = false; again(AGAIN_MS); }
  function ask() {
    var request = new XMLHttpRequest();
    request.open('GET', '/scoreboard/part');
    request.timeout = TIMEOUT_MS;
    request.onload = function () {
      if (request.status !== 200) { fail(); return; }
      if (request.responseText !== shown) { shown = request.responseText; part.innerHTML = shown; }
      lost.hidden = true;
      again(POLL_MS);
    };
    request.onerror = fail;
    request.ontimeout = fail;
    request.send();
  }
  again(POLL_MS);
})();
