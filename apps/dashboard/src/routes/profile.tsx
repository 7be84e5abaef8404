import { Profile } from '../features/profile/Profile.tsx'

export function ProfileRoute() {
  return <Profile />
}
