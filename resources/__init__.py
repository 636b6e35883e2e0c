"""What ships beside the program: data, and the recipe of the sample album a new user can try it on."""
