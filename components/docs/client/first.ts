// Stands in the head: what it does is there before the page is painted.
document.documentElement.classList.add("scripted");
