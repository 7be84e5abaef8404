import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { TickerRow } from './schemas.ts'

export const pricesRoutes = {
  ticker: route({
    id: 'Y15',
    methods: ['GET'],
    paths: ['/ticker'],
    summary: 'The current price of every asset that can be paid with.',
    access: { public: true },
    rate: 'checkout-read',
    response: z.array(TickerRow),
    errors: [],
  }),
}
