import type { EmailMessage } from '../../mail/service.ts'

/** The mail with the link to choose a new password. */
export function passwordReset(url: string): EmailMessage {
  return {
    subject: 'Choose a new password for Kassa',
    paragraphs: ['Somebody, hopefully you, asked for a new password. This link works once, for 30 minutes.'],
    action: { label: 'Choose a password', url },
    foot: 'If you did not ask for it, do nothing: your password stays as it is, and nobody has signed in.',
  }
}

/** The mail after the password was changed with a link. */
export function passwordChanged(): EmailMessage {
  return {
    subject: 'Your Kassa password was changed',
    paragraphs: [
      'The password of your account was changed with a link that was sent to you or made by an administrator.',
    ],
    foot: 'If this was not you, ask an administrator to sign you out everywhere, and choose another password at once.',
  }
}
