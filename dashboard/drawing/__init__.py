"""Arrays in, pictures out. A picture is plain data, which the browser draws."""
