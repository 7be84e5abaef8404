import { PaymentMethods } from '../features/payment-methods/PaymentMethods.tsx'

export function PaymentMethodsRoute() {
  return <PaymentMethods />
}
