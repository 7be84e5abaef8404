import { PasswordCard } from '../features/auth/PasswordCard.tsx'
import { Security } from '../features/security/Security.tsx'

export function SecurityRoute() {
  return <Security password={<PasswordCard />} />
}
