import { Recipients } from '../features/recipients/Recipients.tsx'

export function RecipientsRoute() {
  return <Recipients />
}
