/** The mail to an operator about every device that signs in for the first time (api.md A3). */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { findOperator } from '../../operators/accounts/service.ts'

/** A sign-in as its mail names it; the time is RFC 3339. */
type NewDevice = { readonly at: string; readonly ip: string; readonly userAgent: string }

type NewDeviceMail = NewDevice & { readonly operatorId: number }

export const mailNewDeviceJob = job({
  queue: 'auth.mail-new-device',
  worker: 'email-processor',
  run: mailNewDevice,
  concurrency: 2,
})

async function mailNewDevice(ctx: Context, { operatorId, ...device }: NewDeviceMail): Promise<void> {
  const operator = await findOperator(ctx, operatorId)
  if (operator && (await acceptsEmails(ctx))) await sendEmail(ctx, { to: operator.email, message: signedIn(device) })
}

function signedIn({ at, ip, userAgent }: NewDevice): EmailMessage {
  return {
    subject: 'A new device signed in to your Kassa account',
    paragraphs: [
      `Somebody, hopefully you, signed in at ${at} from ${ip}. This device had not signed in from there before.`,
      ...(userAgent === '' ? [] : [`It calls itself: ${userAgent}`]),
    ],
    foot: 'If this was not you, choose another password at once, and end what you do not know under Settings › Security.',
  }
}
