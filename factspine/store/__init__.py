"""The record of facts and their lineage; the only place that speaks SQLAlchemy."""
