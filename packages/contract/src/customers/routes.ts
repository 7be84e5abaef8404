import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { ChangeCustomer, Customer, CustomerDetail, CustomerPage, CustomerSearch, NewCustomer } from './schemas.ts'

export const customersRoutes = {
  listCustomers: route({
    id: 'O22',
    methods: ['GET'],
    paths: ['/external-platform/{p}/members'],
    summary: 'The customers of a project.',
    access: { permission: 'customer:read', scope: 'customer:read' },
    rate: 'merchant-read',
    params: z.object({ p: z.string() }),
    query: CustomerSearch,
    response: CustomerPage,
    errors: [],
  }),

  createCustomer: route({
    id: 'O23',
    methods: ['POST'],
    paths: ['/external-platform/{p}/members'],
    summary: 'Adds a customer to a project.',
    access: { permission: 'customer:write' },
    rate: 'dashboard',
    params: z.object({ p: z.string() }),
    body: NewCustomer,
    response: z.object({ member: Customer }),
    status: 201,
    errors: ['CUSTOMER_EXISTS'],
  }),

  getCustomer: route({
    id: 'O24',
    methods: ['GET'],
    paths: ['/external-platform/{p}/members/{id}'],
    summary: 'One customer with its addresses, what it paid and what is still unapplied.',
    access: { permission: 'customer:read', scope: 'customer:read' },
    rate: 'merchant-read',
    params: z.object({ p: z.string(), id: z.string() }),
    response: CustomerDetail,
    errors: ['CUSTOMER_NOT_FOUND'],
  }),

  changeCustomer: route({
    id: 'O25',
    methods: ['PATCH', 'PUT'],
    paths: ['/external-platform/{p}/members/{id}'],
    summary: 'Changes a customer: absent keeps, empty clears. A blocked one gets no new payments.',
    access: { permission: 'customer:write' },
    rate: 'dashboard',
    params: z.object({ p: z.string(), id: z.string() }),
    body: ChangeCustomer,
    response: Customer,
    errors: ['CUSTOMER_NOT_FOUND'],
  }),
}
