"""Models of Keras: their layers, their data and their losses."""
