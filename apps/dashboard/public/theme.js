// Runs before the first paint, so that a chosen theme never flashes the other one: that of the account, of which this
// device keeps a copy while somebody is signed in, else the device's own. External because the page's content security
// policy allows no inline script.
{
  try {
    const theme = localStorage.getItem('account:theme') ?? localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage is switched off: the system's theme stands.
  }
}
