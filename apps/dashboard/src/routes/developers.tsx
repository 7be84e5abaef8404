import { Developers } from '../features/developers/Developers.tsx'
import { payloadBadge } from '../features/developers/payload-badge.ts'

export function DevelopersRoute() {
  return <Developers badgeOf={payloadBadge} />
}
