// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaFactory} from "../src/sweep/kassa-factory.sol";
import {KassaVault} from "../src/sweep/kassa-vault.sol";
import {Log, newFactory, ofAccount, one, vm} from "./cheats.sol";
import {
    BlockingToken,
    BurningToken,
    DenyingToken,
    JunkToken,
    LoudToken,
    ReenteringCollector,
    ReenteringToken,
    SilentToken,
    Token
} from "./tokens.sol";

contract HostileTest {
    KassaFactory private factory;
    KassaVault private vault;
    Token private token;
    address private constant COLD = address(0xC01D);

    function setUp() public {
        vm.warp(1e9);
        factory = newFactory();
        vault = factory.createVault(bytes32(uint256(1)), COLD);
        token = new Token();
    }

    function testFuzz_I8_what_a_deposit_holds_arrives(uint160 salt, uint96 held, uint96 amount) public {
        vm.assume(amount <= held);
        token.mint(vault.depositAddress(salt), held);
        vault.sweepToken(address(token), one(salt, amount));
        require(token.balanceOf(COLD) == amount, "I8");
        vault.sweepToken(address(token), one(salt, held - amount));
        require(token.balanceOf(COLD) == held, "I8");
    }

    function testFuzz_I8_native_money_arrives(uint160 salt, uint96 held, uint96 amount) public {
        vm.assume(amount <= held);
        vm.deal(vault.depositAddress(salt), held);
        vault.sweepNative(one(salt, amount));
        vault.sweepNative(one(salt, held - amount));
        require(COLD.balance == held, "I8");
    }

    function testFuzz_I8_what_was_approved_arrives(address account, uint96 held, uint96 amount) public {
        vm.assume(amount <= held && account != COLD);
        token.mint(account, held);
        vm.prank(account);
        token.approve(address(vault), type(uint256).max);
        vault.pullToken(address(token), ofAccount(account, amount));
        require(token.balanceOf(COLD) == amount, "I8");
    }

    function test_I8_a_permit_opens_the_way_and_a_used_one_does_not_close_it() public {
        KassaVault.Permit[] memory permits = new KassaVault.Permit[](2);
        permits[0] = KassaVault.Permit(address(0xA1), 7, type(uint256).max, 27, 0, 0);
        permits[1] = KassaVault.Permit(address(0xA2), 7, type(uint256).max, 28, 0, 0);
        token.mint(address(0xA1), 7);
        token.mint(address(0xA2), 7);
        vm.prank(address(0xA2));
        token.approve(address(vault), 7);
        uint256[] memory items = new uint256[](2);
        (items[0], items[1]) = (uint256(0xA1) << 96 | 7, uint256(0xA2) << 96 | 7);
        vault.permitAndPull(address(token), permits, items);
        require(token.balanceOf(COLD) == 14, "I8");
    }

    function test_I7_return_values_are_not_read() public {
        DenyingToken denying = new DenyingToken();
        denying.mint(vault.depositAddress(1), 5);
        vault.sweepToken(address(denying), one(1, 5));
        SilentToken silent = new SilentToken();
        silent.mint(vault.depositAddress(1), 5);
        vault.sweepToken(address(silent), one(1, 5));
        require(denying.balanceOf(COLD) == 5 && silent.balanceOf(COLD) == 5, "I7");
        JunkToken junk = new JunkToken();
        vault.sweepToken(address(junk), one(1, 5));
        vault.pullToken(address(junk), one(1, 5));
    }

    function test_I7_a_long_answer_costs_the_batch_nothing() public {
        LoudToken loud = new LoudToken();
        vault.pullToken{gas: 3_000_000}(address(loud), one(2, 5));
    }

    function test_I7_a_refused_item_does_not_stop_the_others() public {
        BlockingToken blocking = new BlockingToken();
        uint256[] memory items = new uint256[](3);
        for (uint256 i; i < 3; ++i) {
            blocking.mint(vault.depositAddress(i + 1), 10 + i);
            items[i] = (i + 1) << 96 | (10 + i);
        }
        blocking.refuse(vault.depositAddress(2));
        vm.recordLogs();
        vault.sweepToken(address(blocking), items);
        require(blocking.balanceOf(COLD) == 22, "I7");
        _requireFailed(vault.depositAddress(2), address(blocking), 11);
        blocking.refuse(COLD);
        vault.sweepToken(address(blocking), items);
        require(blocking.balanceOf(vault.depositAddress(2)) == 11, "a collector that is refused loses nothing");
    }

    function test_I7_more_than_there_is_fails_alone() public {
        token.mint(vault.depositAddress(1), 1);
        token.mint(vault.depositAddress(3), 3);
        uint256[] memory items = new uint256[](3);
        for (uint256 i; i < 3; ++i) items[i] = (i + 1) << 96 | (i + 1);
        vault.sweepToken(address(token), items);
        require(token.balanceOf(COLD) == 4, "I7");
        vm.recordLogs();
        vault.sweepNative(one(1, 1));
        _requireFailed(vault.depositAddress(1), address(0), 1);
    }

    function test_I7_a_token_that_calls_back_moves_nothing_elsewhere() public {
        token.mint(vault.depositAddress(1), 100);
        token.mint(address(0xA11CE), 100);
        vm.prank(address(0xA11CE));
        token.approve(address(vault), 100);
        ReenteringToken evil = new ReenteringToken(vault, token);
        vault.sweepToken(address(evil), one(2, 1));
        vault.pullToken(address(evil), one(2, 1));
        require(evil.calls() == 2, "the token was not called");
        require(token.balanceOf(COLD) == 200 && vault.collector() == COLD, "I7");
        require(vault.owner() == address(this) && vault.pendingCollector() == address(0), "I7");
    }

    function test_I7_a_collector_that_calls_back_gets_its_own_only() public {
        ReenteringCollector collector = new ReenteringCollector();
        KassaVault own = factory.createVault(bytes32(uint256(5)), address(collector));
        collector.setVault(own);
        vm.deal(own.depositAddress(1), 4);
        own.sweepNative(one(1, 1));
        require(address(collector).balance == 4 && own.depositAddress(1).balance == 0, "I7");
    }

    function test_I7_a_token_that_burns_gas_takes_its_own_batch_only() public {
        BurningToken burning = new BurningToken();
        (bool ok,) = address(vault).call{gas: 500_000}(abi.encodeCall(KassaVault.sweepToken, (address(burning), one(2, 5))));
        ok;
        token.mint(vault.depositAddress(1), 5);
        vault.sweepToken(address(token), one(1, 5));
        require(token.balanceOf(COLD) == 5, "I7");
    }

    /// The first bytes of the address are the selector of transferFrom: as a target it is padded to a word.
    function testFuzz_I7_a_token_whose_address_is_a_selector_gains_nothing(uint128 rest) public {
        address crafted = address(uint160(uint32(0x23b872dd)) << 128 | uint160(rest));
        vm.etch(crafted, hex"00");
        address victim = address(0x71C);
        token.mint(victim, 50);
        vm.prank(victim);
        token.approve(address(vault), 50);
        vault.sweepTokenDelegated(crafted, ofAccount(address(token), 50));
        vault.sweepToken(crafted, one(7, 50));
        require(token.balanceOf(victim) == 50, "I7");
    }

    /// With too little gas the deposit contract is not created; the sweep must not claim that money moved.
    function testFuzz_a_sweep_without_gas_claims_nothing(uint24 gas_) public {
        address deposit = vault.depositAddress(1);
        vm.deal(deposit, 5);
        vm.recordLogs();
        (bool ok,) = address(vault).call{gas: 21_000 + uint256(gas_) % 120_000}(abi.encodeCall(KassaVault.sweepNative, (one(1, 5))));
        Log[] memory logs = vm.getRecordedLogs();
        bool claimed = ok && logs[0].topics[0] == KassaVault.NativeSwept.selector;
        require(claimed == (COLD.balance == 5), "a sweep claims what did not happen");
    }

    function _requireFailed(address deposit, address token_, uint256 amount) private {
        Log[] memory logs = vm.getRecordedLogs();
        Log memory last = logs[logs.length - 1];
        require(last.topics[0] == KassaVault.ItemFailed.selector && last.emitter == address(vault), "no ItemFailed");
        require(last.topics[1] == bytes32(uint256(uint160(deposit))), "another deposit");
        require(last.topics[2] == bytes32(uint256(uint160(token_))) && abi.decode(last.data, (uint256)) == amount);
    }
}
