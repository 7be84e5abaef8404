import { backendUrl } from '../../api/backend.ts'

/** Returns the address where a customer pays; without a configured site it is below the origin of this page. */
export function checkoutLink(siteUrl: string | null | undefined, reference: string): string {
  return `${siteUrl ?? location.origin}/payments?reference_id=${reference}&host=${backendUrl()}`
}
