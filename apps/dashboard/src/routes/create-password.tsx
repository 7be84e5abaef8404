import { LaterByMail } from '../features/auth/LaterByMail.tsx'

export function CreatePasswordRoute() {
  return (
    <LaterByMail
      title="Create a new password"
      text="This page will take a new password from a reset link; this server does not send such links by mail yet."
    />
  )
}
