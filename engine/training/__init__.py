"""The making of the networks. Needs the extra `train`; nothing here is imported at run time."""
