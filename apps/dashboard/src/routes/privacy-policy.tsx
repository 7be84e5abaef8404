import { msg, t } from '@lingui/core/macro'

import { Policy } from '../features/auth/Policy.tsx'
import { SPEC_TEXTS } from '../lib/text/spec-texts.ts'

const SECTIONS = [
  {
    title: msg`Who runs this`,
    text: msg`This dashboard and its payment pages run on a server operated by the merchant. Nothing on them is sent to the makers of the software or to any third party.`,
  },
  {
    title: msg`What is stored in this browser`,
    text: msg`One local-storage entry named “user” holds the key of your sign-in until you sign out. Display settings such as the theme are kept with your account, with a copy beside it; the sidebar and the last project on this device alone.`,
  },
  {
    title: msg`What is stored on the server`,
    text: msg`Accounts of operators, customers’ e-mail addresses and ids as the merchant supplied them, payments, and the public on-chain transactions that settle them. The server keeps a log of sign-ins and changes.`,
  },
  {
    title: msg`Tracking`,
    text: msg`There is none: no analytics, no advertising, no fonts or scripts from other hosts.`,
  },
] as const

export function PrivacyPolicyRoute() {
  return <Policy title={t(SPEC_TEXTS.privacyPolicy)} changed={t`29 November 2026`} sections={SECTIONS} />
}
