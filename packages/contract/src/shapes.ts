/** The shapes of answers that several routes share (api.md 4.1): the OpenAPI document names each once. */
import { GraphData, UserGroup } from './analytics/schemas.ts'
import { ApiKey } from './api-keys/schemas.ts'
import {
  Asset,
  Blockchain,
  BlockchainFamily,
  Currency,
  Node,
  NodeHealth,
  PaymentOptionSwitch,
  ProjectAsset,
} from './blockchains/schemas.ts'
import { BulkJob } from './bulk-jobs/schemas.ts'
import { Customer } from './customers/schemas.ts'
import { Deposit } from './deposits/schemas.ts'
import { Attribute, Message } from './kit/codecs.ts'
import { AnyReason } from './kit/reason-shape.ts'
import { Role } from './operators/member-schemas.ts'
import { Operator } from './operators/schemas.ts'
import { Diagnosis } from './payments/diagnosis.ts'
import { DepositAddress, PaymentCreated, PaymentDetail, PaymentPublic, PaymentRow, Quote } from './payments/schemas.ts'
import { PayoutConfig } from './payout-policy/schemas.ts'
import { PaymentPolicy } from './projects/payment-policy.ts'
import { Project } from './projects/schemas.ts'
import {
  Campaign,
  EventLog,
  PromoterDetail,
  PromoterRow,
  ReferralEvent,
  ReferralPayout,
  Referrer,
  Reward,
  RewardBalance,
} from './referral/schemas.ts'
import { Contract } from './sweep-contracts/schemas.ts'
import { Recipient } from './recipients/schemas.ts'
import { VaultActivity, VaultFunction } from './vaults/activities.ts'
import { Secret, Vault, VaultDetail } from './vaults/schemas.ts'
import { ProjectWallet, Wallet, WalletBalance } from './wallets/schemas.ts'
import { Delivery, Webhook } from './webhooks/schemas.ts'
import { Withdrawal, WithdrawalDetail } from './withdrawals/schemas.ts'

export const SHAPES = {
  ApiKey,
  Asset,
  Attribute,
  Blockchain,
  BlockchainFamily,
  BulkJob,
  Campaign,
  Contract,
  Currency,
  Customer,
  Delivery,
  Deposit,
  DepositAddress,
  Diagnosis,
  EventLog,
  GraphData,
  Message,
  Node,
  NodeHealth,
  Operator,
  PaymentCreated,
  PaymentDetail,
  PaymentOptionSwitch,
  PaymentPolicy,
  PaymentPublic,
  PaymentRow,
  PayoutConfig,
  Project,
  ProjectAsset,
  ProjectWallet,
  PromoterDetail,
  PromoterRow,
  Quote,
  Recipient,
  ReferralEvent,
  ReferralPayout,
  Referrer,
  Reward,
  RewardBalance,
  Role,
  Reason: AnyReason,
  Secret,
  UserGroup,
  Vault,
  VaultActivity,
  VaultDetail,
  VaultFunction,
  Wallet,
  WalletBalance,
  Webhook,
  Withdrawal,
  WithdrawalDetail,
} as const
