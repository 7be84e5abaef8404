import type { EmailMessage } from '../../mail/service.ts'

/** What happened to the second factor of an account. */
export type FactorChange = 'totp_added' | 'totp_removed' | 'passkey_added' | 'passkey_removed' | 'all_removed'

const SENTENCES: Readonly<Record<FactorChange, string>> = {
  totp_added: 'An authenticator app was added to your account.',
  totp_removed: 'The authenticator app of your account was removed. Other devices were signed out.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey of your account was removed. Other devices were signed out.',
  all_removed:
    'The second factor of your account was removed by an administrator. You were signed out everywhere; the password alone signs you in until you add another one.',
}

/** The mail after the second factor of an account changed. */
export function factorChanged(change: FactorChange): EmailMessage {
  return {
    subject: 'Your Kassa second factor was changed',
    paragraphs: [SENTENCES[change]],
    foot: 'If this was not you, ask an administrator to sign you out everywhere, and choose another password at once.',
  }
}
