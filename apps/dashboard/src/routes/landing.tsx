import { Landing } from '../features/auth/Landing.tsx'

export function LandingRoute() {
  return <Landing />
}
