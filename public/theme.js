// Before the first paint, so that nobody sees a flash of the other theme. `ui/preferences.ts` writes what this reads.
try {
  const { theme } = JSON.parse(localStorage.getItem('lantern.preferences') ?? '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A broken or forbidden store means the system's theme.
}
