"""One running table: threads, record, evidence, settings and the command line."""
