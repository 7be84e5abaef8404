import { msg, t } from '@lingui/core/macro'

import { Policy } from '../features/auth/Policy.tsx'
import { SPEC_TEXTS } from '../lib/text/spec-texts.ts'

const SECTIONS = [
  { title: msg`Cookies`, text: msg`These pages set no cookies.` },
  {
    title: msg`Local storage`,
    text: msg`After signing in, one local-storage entry named “user” holds the key of your session. Signing out removes it. Display settings (theme, time zone, tables) are kept with your account, with a copy here until you sign out; the sidebar, the last project and what you chose without signing in stay on this device until you clear them.`,
  },
] as const

export function CookiePolicyRoute() {
  return <Policy title={t(SPEC_TEXTS.cookiePolicy)} changed={t`29 November 2026`} sections={SECTIONS} />
}
