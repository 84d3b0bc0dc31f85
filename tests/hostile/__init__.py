"""Files and children that mean harm, built by code."""
