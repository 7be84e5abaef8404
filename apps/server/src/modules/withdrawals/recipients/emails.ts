import type { EmailMessage } from '../../mail/service.ts'

export type CodeMail = {
  readonly code: string
  readonly name: string
  readonly address: string
  readonly network: string
  readonly projects: readonly string[]
}

/** The mail with the code that verifies a recipient, and everything to compare before typing it. */
export function recipientCode({ code, name, address, network, projects }: CodeMail): EmailMessage {
  return {
    subject: `Your Kassa code for the recipient ${name}`,
    paragraphs: [
      `Code: ${code}`,
      `It lets ${projects.join(', ')} pay ${name} on ${network} at this address:`,
      address,
      'Compare the address, letter by letter, with the one you were given. The code works once, for 10 minutes.',
    ],
    foot: 'If you did not add this recipient, tell the code to nobody, choose another password and check the API keys you made.',
  }
}
