import { Developers } from '../features/developers/Developers.tsx'

export function DevelopersRoute() {
  return <Developers />
}
