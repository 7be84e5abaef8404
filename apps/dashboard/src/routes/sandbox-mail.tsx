import { SandboxMail } from '../features/sandbox/SandboxMail.tsx'

export function SandboxMailRoute() {
  return <SandboxMail />
}
