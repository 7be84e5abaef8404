import { MailSettings } from '../features/mail/MailSettings.tsx'

export function EmailSettingsRoute() {
  return <MailSettings />
}
