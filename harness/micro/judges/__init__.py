"""Three judges of generated scenes, equal in what they see and not in how they were taught."""
