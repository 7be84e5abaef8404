/** The mails that are sent, as a browser shows them. */
import { passwordChanged, passwordReset } from '../../../apps/server/src/modules/auth/passwords/service.ts'
import { htmlOf, type EmailMessage } from '../../../apps/server/src/modules/mail/service.ts'
import type { Screen } from '../camera.ts'

const LINK = 'https://pay.acme.example/createPassword?resetPasswordToken=q8Zr5mV2xT0aLw7cYb1NfKd9'

export function emailScreens(): readonly Screen[] {
  return [email('reset', passwordReset(LINK)), email('password-changed', passwordChanged())]
}

/** A mail program shows it within a page of its own. */
function email(name: string, sent: EmailMessage): Screen {
  const document = htmlOf(sent).replace(/(<body[^>]*>)(.*)(<\/body>)/s, '$1<main>$2</main>$3')
  return { name: `mail-${name}`, path: `/mail-${name}`, shows: sent.subject, document }
}
