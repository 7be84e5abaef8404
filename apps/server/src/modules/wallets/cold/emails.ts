import type { EmailMessage } from '../../mail/service.ts'

/** The mail about a cold wallet that is new or active again, to the people who can object before money is sent there. */
export function coldWalletChanged(wallet: {
  readonly change: 'added' | 'activated'
  readonly name: string
  readonly address: string
  readonly blockchain: string
  readonly by: string
  readonly usableAt: Date
}): EmailMessage {
  const { change } = wallet
  return {
    subject: `A cold wallet was ${change} in Kassa`,
    paragraphs: [
      `${wallet.by} ${change} the cold wallet ${wallet.name}: ${wallet.address} on ${wallet.blockchain}.`,
      `Money can be sent there from ${wallet.usableAt.toISOString()}.`,
    ],
    foot: 'If nobody of you did this, deactivate the wallet on the page Deposit wallets before then, and sign that person out everywhere.',
  }
}
