import { t } from '@lingui/core/macro'

/** Returns the title of an action on many payments. */
export function actionTitle(action: string): string {
  if (action === 'payment.create') return t`Create payment links`
  if (action === 'payment.cancel') return t`Cancel open links`
  return action === 'payment.resend_webhook' ? t`Resend webhooks` : t`Mark as resolved`
}
