// Runs before the first paint, so that a chosen theme never flashes the other one. External because the page's
// content security policy allows no inline script.
{
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage is switched off: the system's theme stands.
  }
}
