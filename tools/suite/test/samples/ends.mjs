throw new Error("it ends while it is loaded");
