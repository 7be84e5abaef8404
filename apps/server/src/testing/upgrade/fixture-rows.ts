import { sql } from 'kysely'

import type { TestApp } from '../app.ts'

/**
 * Rows that only nodes, price sources, browsers and time bring about, written as they would be: every table of the
 * install holds something.
 */
export async function insertRemainingRows(app: TestApp): Promise<void> {
  for (const statements of [PEOPLE, CHAINS, PRICES, WEBHOOKS, SENDS, PAYOUTS, MOVEMENTS, CONTRACTS, SWEEPS, REFERRAL])
    await sql.raw(statements).execute(app.ctx.db)
}

const PEOPLE = `
  INSERT INTO install (network) VALUES ('sandbox');
  INSERT INTO setup_codes (code_hash) VALUES ('\\x01');
  INSERT INTO backups (kind, taken_at, recorded_at, rows, bytes, has_master_key, version, host, path)
    VALUES ('taken', now(), now(), 4711, 262144, true, '0.1.0', 'shop', '/mnt/backups/kassa.kassa');
  INSERT INTO shared_views (project_id, screen, name, search, layout, shared_by, created_at, updated_at)
    SELECT min(id), 'payments', 'Big ones', '{"amount": "1000.."}', '{}', 1, now(), now() FROM projects;
  INSERT INTO operators (email, name, username, customer_id, state, deleted_at) VALUES
    ('invited@shop.example', '', NULL, 'operator-invited', 'invited', NULL),
    ('gone@shop.example', 'Gone', 'gone', 'operator-gone', 'inactive', now());
  INSERT INTO sandbox_emails (recipient, message, created_at) VALUES
    ('invited@shop.example', '{"subject": "You are invited", "paragraphs": ["Choose a password."], "foot": ""}', now());
  INSERT INTO password_tokens (operator_id, purpose, token_hash, issued_by, expires_at)
    SELECT id, 'invite', '\\x02', 1, now() + interval '1 day' FROM operators WHERE state = 'invited';
  INSERT INTO superseded_refresh_tokens (token_hash, session_id, superseded_at)
    SELECT '\\x06', min(id), now() FROM sessions;
  INSERT INTO step_up_challenges (id, session_id, action, digest, expires_at)
    SELECT '0195c0de-0000-7000-8000-000000000001', min(id), 'wallets.link', '\\x03', now() FROM sessions;
  INSERT INTO authenticators (operator_id, secret_id, confirmed_at, expires_at)
    SELECT min(o.id), min(s.id), now(), now() FROM operators o, secrets s;
  INSERT INTO passkeys (operator_id, name, credential_id, public_key, rp_id, counter)
    SELECT min(id), 'Laptop', '\\x0a', '\\x0b', 'shop.example', 3 FROM operators;
  INSERT INTO backup_codes (operator_id, code_hash, used_at) SELECT min(id), '\\x0c', now() FROM operators;
  INSERT INTO factor_challenges (id, purpose, session_id, value, expires_at)
    SELECT '0195c0de-0000-7000-8000-000000000003', 'enrolment', min(id), '\\x0d', now() FROM sessions;
  INSERT INTO vault_attempts SELECT 1, min(id), 2, now(), now() FROM operators;
  INSERT INTO vault_processes (id, public_key, proof, lease_until)
    VALUES ('0195c0de-0000-7000-8000-000000000002', '\\x07', '\\x08', now());
  INSERT INTO vault_grants VALUES ('0195c0de-0000-7000-8000-000000000002', 1, 0, '\\x09');
  INSERT INTO step_up_tokens (token_hash, session_id, action, digest, expires_at)
    SELECT '\\x07', min(id), 'W14', '\\x03', now() FROM sessions;
  INSERT INTO sign_in_failures (subject, failures, wait_until, updated_at) VALUES ('stranger@shop.example', 4, now(), now());
  INSERT INTO rate_buckets VALUES ('ip:192.0.2.7', 3.5, now()) ON CONFLICT DO NOTHING;
  INSERT INTO idempotency_keys (caller, key, kind, request_hash, status, body)
    VALUES ('key:1', 'order-1', 'key', '\\x04', 200, '{"reference_id": "order-1"}') ON CONFLICT DO NOTHING;
  INSERT INTO websocket_tokens (token_hash, session_id, client_id, expires_at)
    SELECT '\\x05', min(id), 'client', now() FROM sessions;
  INSERT INTO invoice_claims SELECT project_id, 'order-1', min(id) FROM payments GROUP BY project_id;
  INSERT INTO uploads (name, project_id, content_type, bytes) VALUES ('logo.png', 1, 'image/png', '\\x89504e470d0a1a0a');
  INSERT INTO workers (name, process, begun_at, beat_at, turned_at, failure)
    VALUES ('webhook-processor', 'host:4711', now(), now(), now(), 'the receiver is slow')`

const CHAINS = `
  INSERT INTO quarantined_blocks (blockchain_id, height, hash, error, transactions, concerns_us, state, solved_at) VALUES
    (1, 90, '0x90', 'an unknown transaction type', '{0xaa}', true, 'open', NULL),
    (1, 91, '0x91', 'an unknown transaction type', '{}', false, 'solved', now());
  INSERT INTO chain_blocks (blockchain_id, height, hash, parent_hash, mined_at, node_id, transfers)
    SELECT 1, n, '0x' || n, '0x' || n - 1, now(), 1, 0 FROM generate_series(95, 99) AS n;
  INSERT INTO cross_checks (deposit_id, node_id, verdict, details, asked_at)
    SELECT id, 1, (ARRAY['agrees', 'differs', 'silent'])[1 + id % 3], 'block and receipt were compared', now() FROM deposits;
  INSERT INTO rescans (blockchain_id, from_height, to_height, next_height, tx_id, reason, requested_by, audit_day, state,
    found, error, created_at, moved_at, finished_at) VALUES
    (1, 90, 99, 95, NULL, 'a customer asked', 'operator:1', NULL, 'open', 0, NULL, now(), now(), NULL),
    (1, 90, 99, 100, NULL, 'nightly audit', 'system', current_date, 'done', 2, NULL, now(), now(), now()),
    (2, NULL, NULL, NULL, '0xabc', 'command line', 'command line', NULL, 'failed', 0, 'not known', now(), now(), now());
  INSERT INTO unclaimed_transfers (blockchain_id, tx_id, leg, evidence, address_id, asset_id, units, height, seen_at, due_at)
    SELECT 1, '0xdef', 'log:3', 'receipt', min(id), 7, 5000000, 99, now(), now() FROM addresses WHERE status = 'open';
  INSERT INTO mempool_sightings (blockchain_id, tx_id, leg, address_id, asset_id, units, first_seen_at, gone_at, replaced_by)
    SELECT 2, 'ab12', 'vout:0', min(id), 2, 50000, now(), now(), 'cd34' FROM addresses WHERE status = 'assigned';
  INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type) VALUES ('Listed', 'deposit_wallet', 'eoa', 'none');
  INSERT INTO wallet_lists (wallet_id, family_id, next_index, mac)
    SELECT max(id), 4, 3, decode(repeat('0e', 32), 'hex') FROM wallets;
  INSERT INTO pending_wallet_links (project_id, family_id, wallet_id, requested_by, requested_at, effective_at)
    SELECT project_id, family_id, (SELECT max(id) FROM wallets), 1, now(), now() + interval '24 hours' FROM project_wallets
    ORDER BY id LIMIT 1;
  INSERT INTO unlinked_wallets (project_id, family_id, wallet_id, unlinked_at)
    SELECT project_id, 4, (SELECT max(id) FROM wallets), now() FROM project_wallets ORDER BY id LIMIT 1;
  INSERT INTO unlisted_transfers (blockchain_id, tx_id, leg, contract, address_id, customer_id, project_id, units, symbol,
    decimals, asked_at, height, mined_at, seen_at)
    SELECT 1, '0xfed', 'log:0', '0x6B175474E89094C44Da98b954EedeAC495271d0F', id, customer_id, project_id,
      5000000000000000000, 'DAI', 18, now(), 99, now(), now() FROM addresses WHERE status = 'assigned' ORDER BY id LIMIT 1;
  INSERT INTO address_snapshots (blockchain_id, address_id, height, hash, parent_hash, mined_at, units, checked_at)
    SELECT 1, id, 99, '0x99', '0x98', now(), 12345678901234567890, now() FROM addresses WHERE status = 'assigned';
  INSERT INTO balance_deposits (deposit_id, from_height) SELECT min(id), 80 FROM deposits;
  INSERT INTO chain_compares (blockchain_id, day, height) VALUES (1, current_date, 99);
  INSERT INTO discrepancies (blockchain_id, asset_id, address_id, units, height, rescan_id, state, note, found_at, ended_at)
    SELECT 1, 1, min(id), sign * 10::numeric ^ 18, 99, rescan, state, note, now(), ended
    FROM addresses, (VALUES
      (1, 1, 'open', NULL, NULL::timestamptz), (-2, NULL, 'closed', NULL, now())
    ) AS finding (sign, rescan, state, note, ended) GROUP BY sign, rescan, state, note, ended`

const PRICES = `
  INSERT INTO sandbox_prices (currency_code, price) VALUES ('ETH', '3000.5'), ('USDC', 'nonsense');
  INSERT INTO price_readings (currency_code, source, price, source_at, asked_at, failure) VALUES
    ('ETH', 'kraken', '3001.25', now(), now(), NULL), ('ETH', 'bitstamp', '3001.25', now(), now(), 'HTTP 503');
  INSERT INTO last_prices (currency_code, price, priced_at, missing_since) VALUES
    ('ETH', 3000.75, now(), NULL), ('POL', NULL, NULL, now());
  INSERT INTO price_history (currency_code, at, price)
    SELECT 'ETH', now() - n * interval '1 minute', 3000 + n / 7.0 FROM generate_series(1, 30) AS n`

const WEBHOOKS = `
  INSERT INTO webhook_old_secrets (webhook_id, secret_ref, expires_at)
    SELECT id, secret_ref, now() + interval '1 day' FROM webhooks WHERE id = 1;
  INSERT INTO webhook_keys (public_key, secret_ref, from_at, until_at)
    SELECT 'earlier', secret_ref, now() - interval '2 days', now() - interval '1 day' FROM webhooks WHERE id = 1;
  UPDATE deliveries SET status = (ARRAY['pending', 'received', 'failed', 'discarded', 'waiting_for_approval'])[1 + id % 5];
  UPDATE deliveries SET attempt_count = 2, finished_at = now(), last_response_code = 200 WHERE status = 'received';
  UPDATE deliveries SET attempt_count = 9, finished_at = now(), last_error = 'HTTP 500' WHERE status = 'failed';
  UPDATE deliveries SET next_retry_at = now() + interval '1 hour' WHERE status = 'pending';
  INSERT INTO delivery_attempts (delivery_id, n, at, code, ms, error, response_excerpt)
    SELECT id, 1, now(), 500, 120, 'HTTP 500', 'try later' FROM deliveries WHERE attempt_count > 0`

const SENDS = `
  INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
    VALUES ('Payouts', 'hot_wallet', 'eoa', 'private_key');
  INSERT INTO send_wallets (wallet_id, blockchain_id, first_sequence, lock_code, lock_params, locked_at)
    SELECT max(id), 2, 0, 'behind', '{"case": "behind", "expected": "0", "found": "3"}', now() FROM wallets;
  INSERT INTO sends (wallet_id, blockchain_id, purpose, from_address, sequence, asset_id, units, to_address, fee_asset_id,
    fee_ceiling, state, planned_height, created_at, sent_at)
    SELECT max(id), 1, 'payout', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', 0, 7, 5000000,
      '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0', 1, 1000000000000000, 'sent', 99, now(), now() FROM wallets;
  INSERT INTO send_items (send_id, withdrawal_id) SELECT id, 1 FROM sends;
  INSERT INTO send_attempts (send_id, n, tx_id, raw, body, max_fee, created_at, first_sent_at, last_seen_at)
    SELECT id, 1, '0xfeed', '\\x02', '{"gas": "0x5208"}', 900000000000000, now(), now(), now() FROM sends`

const PAYOUTS = `
  INSERT INTO hot_keys (wallet_id, family_id, key, address, secret_id, float_limit_usd)
    SELECT max(w.id), 1, '\\x9858effd232b4033e47d90003d41ec34ecaeda94', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      min(s.id), 500 FROM wallets w, secrets s;
  INSERT INTO wallet_functions (wallet_id, purpose) SELECT wallet_id, 'payout' FROM hot_keys;
  INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type) VALUES ('Cold', 'cold_wallet', 'eoa', 'none');
  INSERT INTO cold_addresses (wallet_id, family_id, blockchain_id, key, address, usable_at)
    SELECT max(id), 1, 1, '\\xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', now()
    FROM wallets;
  INSERT INTO recipients (name, email, blockchain_id, address, address_key, status, created_by, verified_by, verified_at,
    created_at, updated_at)
    VALUES ('Supplier', 's@example.com', 1, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '\\x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'active', 'operator:1', 'operator:1', now(), now(), now());
  INSERT INTO recipient_projects (recipient_id, project_id, blockchain_id, address_key, known_since)
    SELECT id, 1, blockchain_id, address_key, verified_at FROM recipients;
  INSERT INTO recipient_codes (recipient_id, operator_id, code_hash, tries, created_at, expires_at, ended_at)
    SELECT id, 1, '\\x0e', 1, now(), now(), now() FROM recipients;
  INSERT INTO payout_policies (project_id, quorum_rules, updated_at) VALUES (1, '[]', now()) ON CONFLICT DO NOTHING;
  INSERT INTO withdrawals (project_id, type, status, blockchain_id, asset_id, contract, units, to_address, policy_version,
    digest, price_usd, amount_usd, decision, approvals_needed, four_eyes, decided_at, recipient_id, created_by,
    created_by_operator, rejected_by, ended_at)
    SELECT 1, 'payout', 'rejected', 1, 7, address, 1000000, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 1,
      decode(repeat('ab', 32), 'hex'), 1, 1, '{}', 1, false, now(), (SELECT max(id) FROM recipients), 'user', 1, 1, now()
    FROM assets WHERE id = 7;
  INSERT INTO withdrawal_approval_lists (operator_id, digest, items, at)
    SELECT 1, digest, ARRAY[digest], now() FROM withdrawals LIMIT 1;
  INSERT INTO withdrawal_approvals (withdrawal_id, operator_id, digest, method, at)
    SELECT id, 1, digest, 'window', now() FROM withdrawals;
  INSERT INTO refund_parts (withdrawal_id, deposit_id, units, claim)
    SELECT w.id, d.id, 1, 'project:balance' FROM withdrawals w, (SELECT min(id) AS id FROM deposits) AS d;
  INSERT INTO refund_claims (payment_id, blockchain_id, address, claimed_at)
    SELECT min(id), 1, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', now() FROM payments;
  INSERT INTO receipt_mails (payment_id, address, requested_at)
    SELECT min(id), 'payer@example.com', now() FROM payments`

const MOVEMENTS = `
  INSERT INTO own_addresses (blockchain_id, address, family_id, key, role, wallet_id, created_at)
    SELECT 1, address, family_id, key, 'hot', wallet_id, now() FROM hot_keys;
  INSERT INTO movement_intents (blockchain_id, tx_id, kind, send_id, created_at)
    SELECT 1, '0xfeed', 'payout', max(id), now() FROM sends ON CONFLICT DO NOTHING;
  INSERT INTO movements (blockchain_id, asset_id, kind, from_address, to_address, to_role, to_wallet_id, tx_id, leg, evidence,
    units, height, block_hash, block_time, confirmations_required, rule, status, seen_at, reverted_at)
    SELECT 1, 1, 'funded', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', address, 'hot', wallet_id, '0xf00d', 'value', 'receipt',
      1000000000000000000, 99, '0x99', now(), 2, 'depth', 'reverted', now(), now() FROM hot_keys`

const CONTRACTS = `
  INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type) VALUES ('Contract', 'deposit_wallet', 'scw', 'create2');
  INSERT INTO wallet_vaults (wallet_id, family_id, vault, creator, salt, mac)
    SELECT max(id), 1, '0x41', '0x12', '0x01', decode(repeat('0e', 32), 'hex') FROM wallets;
  INSERT INTO contract_addresses (blockchain_id, family_id, contract_type, name, address, tx_id, wallet_id, code_hash, collector, mac, owner,
    owner_key, collector_on_chain, pending_collector, collector_ready_at, is_frozen, read_at, created_at, updated_at)
    SELECT 1, 1, 'fund_sweeper', 'Contract', '0x41', '0xc0', max(id), '0x0f', '0x9f', decode(repeat('0f', 32), 'hex'), '0x12',
      '\\x12', '0x9f', '0x10', now() + interval '2 days', false, now(), now(), now() FROM wallets;
  INSERT INTO custom_contracts (blockchain_id, contract_type, abi, bytecode, description, code_hash, created_at, updated_at)
    VALUES (1, 'factory_contract', '[]', '0x60', 'Another factory', '0x0f', now(), now())`

const SWEEPS = `
  INSERT INTO sweeps (wallet_id, blockchain_id, asset_id, method, vault, collector, status, trigger, sent_by, units, due_at, created_at,
    updated_at, ended_at)
    SELECT wallet.id, 1, 1, 'sweep', '0x01', '0x02', 'sweep-cancelled', 'manual', 'own-wallet', 5, now(), now(), now(), now()
    FROM wallets AS wallet ORDER BY wallet.id LIMIT 1;
  INSERT INTO sweep_items (sweep_id, address_id, asset_id, item_id, units, state)
    SELECT sweep.id, (SELECT min(id) FROM addresses), 1, 1, 5, 'released' FROM sweeps AS sweep;
  INSERT INTO address_sweeps (address_id, asset_id, state, updated_at) SELECT min(id), 1, 'idle', now() FROM addresses;
  INSERT INTO sweep_transactions (sweep_id, blockchain_id, tx_id, state, recorded_at)
    SELECT id, 1, '0x' || repeat('5a', 32), 'replaced', now() FROM sweeps;
  INSERT INTO sweep_errors (sweep_id, wallet_id, asset_id, code, params, at)
    SELECT id, wallet_id, 1, 'TRANSACTION_NOT_SEEN', '{}', now() FROM sweeps;
  INSERT INTO sweep_inputs (sweep_id, blockchain_id, tx_id, vout, address_id, units, released_at)
    SELECT id, 1, repeat('5b', 32), 0, (SELECT min(id) FROM addresses), 5, now() FROM sweeps;
  INSERT INTO sweep_psbts (sweep_id, n, blockchain_id, tx_id, psbt, fee_units, created_at)
    SELECT id, 1, 1, repeat('5c', 32), decode('70736274ff', 'hex'), 1, now() FROM sweeps;
  INSERT INTO devices (name, public_key, key_hash, paired_by, paired_at, unpaired_at)
    SELECT 'Phone', decode(repeat('5d', 32), 'hex'), decode(repeat('5e', 32), 'hex'), min(id), now(), now() FROM operators;
  INSERT INTO device_pairings (operator_id, nonce, expires_at) SELECT min(id), decode('5f', 'hex'), now() FROM operators;
  INSERT INTO sweep_plans (id, asset_id, batches, created_at, expires_at)
    VALUES ('0195c0de-0000-7000-8000-000000000009', 1, '[]', now(), now());
  INSERT INTO sweep_batches (blockchain_id, asset_id, vault, collector, created_at, expires_at)
    VALUES (1, 1, '0x01', '0x02', now(), now());
  INSERT INTO sweep_approvals (batch_id, address_id, asset_id, kind, permission, state, locked_until)
    SELECT batch.id, (SELECT min(id) FROM addresses), 1, 'permit', '{}', 'lapsed', now() FROM sweep_batches AS batch;
  INSERT INTO sweep_permissions (address_id, blockchain_id, asset_id, kind, state, vault, collector, permission, created_at)
    SELECT min(id), 1, 1, 'permit', 'stale', '0x01', '0x02', '{}', now() FROM addresses`

const REFERRAL = `
  INSERT INTO campaigns (project_id, name, unit_id, reward_type, reward_value, per_customer, is_default, status, consider_events_from)
    SELECT min(id), 'Bring a friend', 1000001, 'flat_fee', 10000000, 'forever', true, 'active', now() FROM projects;
  INSERT INTO campaign_events (campaign_id, event_id, project_id)
    SELECT campaign.id, event.id, event.project_id FROM campaigns AS campaign JOIN referral_events AS event USING (project_id);
  INSERT INTO referrers (project_id, reference_id, email, code)
    SELECT min(id), 'ann', 'ann@shop.example', 'ABCDEF2' FROM projects;
  INSERT INTO referrers (project_id, reference_id, email, code, referred_by, referred_at)
    SELECT project_id, 'bob', 'bob@shop.example', 'ABCDEF3', id, now() FROM referrers;
  INSERT INTO campaign_referrers (campaign_id, referrer_id, project_id)
    SELECT campaign.id, person.id, person.project_id FROM campaigns AS campaign JOIN referrers AS person USING (project_id);
  INSERT INTO referral_tokens (referrer_id, token_hash, created_at, expires_at)
    SELECT min(id), decode(repeat('0e', 32), 'hex'), now(), now() FROM referrers;
  INSERT INTO event_logs (project_id, event_id, member_id, amount, triggered_at, status, created_at, updated_at)
    SELECT person.project_id, event.id, person.id, 50000000, now(), 'processed', now(), now()
    FROM referrers AS person JOIN referral_events AS event USING (project_id) WHERE person.reference_id = 'bob';
  INSERT INTO event_log_uses (campaign_id, log_id, member_id, outcome, set_log_id, at)
    SELECT campaign.id, log.id, log.member_id, 'rewarded', log.id, now()
    FROM campaigns AS campaign JOIN event_logs AS log USING (project_id);
  INSERT INTO rewards (project_id, campaign_id, set_log_id, side, referrer_id, related_id, unit_id, units, reversed_units, status,
    triggered_at, created_at, updated_at)
    SELECT log.project_id, campaign.id, log.id, 'referrer', person.referred_by, person.id, 1000001, 10000000, 10000000, 'reversed',
      now(), now(), now()
    FROM event_logs AS log JOIN campaigns AS campaign USING (project_id) JOIN referrers AS person ON person.id = log.member_id;
  INSERT INTO reward_settlements (reward_id, withdrawal_id, units, status, created_at, updated_at)
    SELECT reward.id, (SELECT min(id) FROM withdrawals), 1000000, 'released', now(), now() FROM rewards AS reward;
  INSERT INTO referral_codes (referrer_id, token_id, created_at, expires_at, ended_at)
    SELECT referrer_id, id, now(), now(), now() FROM referral_tokens`
