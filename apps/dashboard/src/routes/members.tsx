import { Members } from '../features/members/Members.tsx'

export function MembersRoute() {
  return <Members />
}
