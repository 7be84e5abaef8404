import { Policy } from '../features/auth/Policy.tsx'

const SECTIONS = [
  {
    title: 'Who runs this',
    text: 'This dashboard and its payment pages run on a server operated by the merchant. Nothing on them is sent to the makers of the software or to any third party.',
  },
  {
    title: 'What is stored in this browser',
    text: 'One local-storage entry named “user” holds the key of your sign-in until you sign out. Display settings such as the theme, the sidebar and the last project are kept beside it.',
  },
  {
    title: 'What is stored on the server',
    text: 'Accounts of operators, customers’ e-mail addresses and ids as the merchant supplied them, payments, and the public on-chain transactions that settle them. The server keeps a log of sign-ins and changes.',
  },
  {
    title: 'Tracking',
    text: 'There is none: no analytics, no advertising, no fonts or scripts from other hosts.',
  },
] as const

export function PrivacyPolicyRoute() {
  return <Policy title="Privacy Policy" changed="20 November 2026" sections={SECTIONS} />
}
