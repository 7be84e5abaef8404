/** What other modules do with members; it joins their transaction where sessions and links change with it. */
export { roleChosen } from './assign-roles.ts'
export { addMember, changeFacts, deleteMember, dropProjectRole, takeAccess } from './change-member.ts'
export { readMember } from './search-members.ts'
