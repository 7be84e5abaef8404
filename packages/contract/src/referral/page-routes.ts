/** The page of a promoter (U): called by the page itself, with the token of its link in the header Referral-Token. */
import * as z from 'zod/mini'

import { ts } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { OwnPage, OwnWithdrawal } from './inputs.ts'
import { OwnRewardPage, OwnWithdrawalPage, OwnWithdrawalRow, PromoterPage } from './schemas.ts'

const access = { referral: true } as const

export const promoterPageRoutes = {
  getPromoterPage: route({
    id: 'U1',
    methods: ['GET'],
    paths: ['/referral/referrers'],
    summary: 'The promoter’s own code, link, campaigns and totals.',
    access,
    rate: 'checkout-read',
    response: PromoterPage,
    errors: ['REFERRAL_TOKEN_INVALID'],
  }),
  listOwnRewards: route({
    id: 'U2',
    methods: ['GET'],
    paths: ['/referral/referrers/rewards'],
    summary: 'The promoter’s own rewards, newest first.',
    access,
    rate: 'checkout-read',
    query: OwnPage,
    response: OwnRewardPage,
    errors: ['REFERRAL_TOKEN_INVALID'],
  }),
  listOwnWithdrawals: route({
    id: 'U3',
    methods: ['GET'],
    paths: ['/referral/referrers/withdrawals'],
    summary: 'The promoter’s own withdrawals, newest first.',
    access,
    rate: 'checkout-read',
    query: OwnPage,
    response: OwnWithdrawalPage,
    errors: ['REFERRAL_TOKEN_INVALID'],
  }),
  sendWithdrawalCode: route({
    id: 'U4',
    methods: ['POST'],
    paths: ['/referral/referrers/withdrawals/otp'],
    summary: 'Mails the promoter a code for a withdrawal; an older one stops working.',
    access,
    rate: 'otp',
    response: z.object({ otpSent: z.boolean(), expiresAt: ts }),
    errors: ['REFERRAL_TOKEN_INVALID', 'SMTP_NOT_CONFIGURED', 'REFERRER_INACTIVE'],
    keyless: true,
  }),
  withdrawRewards: route({
    id: 'U5',
    methods: ['POST'],
    paths: ['/referral/referrers/withdrawals'],
    summary: 'Asks for rewards to be paid; a person approves each.',
    access,
    rate: 'payout-write',
    body: OwnWithdrawal,
    response: OwnWithdrawalRow,
    status: 201,
    errors: [
      'REFERRAL_TOKEN_INVALID',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'WITHDRAWAL_BELOW_MINIMUM',
      'INSUFFICIENT_FUNDS',
      'ADDRESS_INVALID',
      'ADDRESS_IS_OURS',
      'ADDRESS_BLOCKED',
      'AMOUNT_OUT_OF_RANGE',
      'REFERRER_INACTIVE',
      'ASSET_NOT_PAYABLE',
      'RATE_UNAVAILABLE',
    ],
  }),
}
