"""DuckDB: an analytic copy of the record that follows it, the views people want, and Parquet."""
