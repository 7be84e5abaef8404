import { Policy } from '../features/auth/Policy.tsx'

const SECTIONS = [
  { title: 'Cookies', text: 'These pages set no cookies.' },
  {
    title: 'Local storage',
    text: 'After signing in, one local-storage entry named “user” holds the key of your session. Signing out removes it. Display settings (theme, sidebar, last project) stay on this device until you clear them.',
  },
] as const

export function CookiePolicyRoute() {
  return <Policy title="Cookie Policy" changed="20 November 2026" sections={SECTIONS} />
}
