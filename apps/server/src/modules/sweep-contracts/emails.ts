import type { EmailMessage } from '../mail/service.ts'

/** The mail after another collector was proposed on chain: there are 48 hours to refuse it. */
export function collectorProposed(change: {
  readonly what: 'collector' | 'owner'
  readonly contract: string
  readonly blockchain: string
  readonly current: string
  readonly proposed: string
  readonly by: string
  readonly readyAt: Date
}): EmailMessage {
  const { what, contract, blockchain, current, proposed, by, readyAt } = change
  const role = what === 'collector' ? 'the address that swept money goes to' : 'its owner'
  return {
    subject: `A sweep contract is to get another ${what}`,
    paragraphs: [
      `${by} proposed ${proposed} as ${role}, in place of ${current}. It is about the sweep contract ${contract} on ${blockchain}.`,
      `It can take over from ${readyAt.toISOString()} on. Until then sweeping goes on as before.`,
    ],
    foot: 'If nobody of you did this, refuse it before then with the wallet of the owner or of the present collector (Deposit wallets › Change), and sweep everything now: whoever has the key of the owner can try again.',
  }
}
