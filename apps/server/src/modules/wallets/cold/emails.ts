import type { EmailMessage } from '../../mail/service.ts'

/** The mail about a new cold wallet, to the people who can object before money is sent there. */
export function coldWalletAdded(wallet: {
  readonly name: string
  readonly address: string
  readonly blockchain: string
  readonly by: string
  readonly usableAt: Date
}): EmailMessage {
  return {
    subject: 'A cold wallet was added to Kassa',
    paragraphs: [
      `${wallet.by} added the cold wallet ${wallet.name}: ${wallet.address} on ${wallet.blockchain}.`,
      `Money can be sent there from ${wallet.usableAt.toISOString()}.`,
    ],
    foot: 'If nobody of you did this, deactivate the wallet on the page Deposit wallets before then, and sign that person out everywhere.',
  }
}
