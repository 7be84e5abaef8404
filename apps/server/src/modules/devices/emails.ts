import type { EmailMessage } from '../mail/service.ts'

/** The mail after a device was paired, to the people who can object. */
export function devicePaired({
  name,
  by,
  at,
}: {
  readonly name: string
  readonly by: string
  readonly at: Date
}): EmailMessage {
  return {
    subject: 'A signing device was paired with Kassa',
    paragraphs: [
      `The device ${name} was paired at ${at.toISOString()}, with a code of ${by}.`,
      'It may see batches of sweeps and give them back signed. It cannot change where money goes.',
    ],
    foot: 'If nobody of you did this, unpair the device on the page System health.',
  }
}
