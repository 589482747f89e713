"""What earlier releases wrote; the wheel of each is kept in this folder."""
