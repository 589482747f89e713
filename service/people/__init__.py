"""What people can do with what is stored of them: take it along, and leave."""
