import { LaterByMail } from '../features/auth/LaterByMail.tsx'

export function SetPasswordRoute() {
  return (
    <LaterByMail
      title="Set your password"
      text="This page will take the first password of an invited operator; this server does not send invitations by mail yet."
    />
  )
}
