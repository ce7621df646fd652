"""How right the eyes are: on rendered test art and on photographs with truth, never pooled."""
