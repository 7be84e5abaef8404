// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaFactory} from "../src/sweep/kassa-factory.sol";
import {KassaVault} from "../src/sweep/kassa-vault.sol";
import {newFactory, vm} from "./cheats.sol";

/// Four people do what they like with a vault, and a second account of the rules says what may have come of it.
contract People {
    KassaVault public immutable vault;
    address[4] public people = [address(0x0111), address(0x0222), address(0x0333), address(0x0444)];
    uint256 public time = 1e9;
    address public owner = address(0x0111);
    address public collector = address(0x0222);
    address public pendingCollector;
    uint256 public proposedAt;
    address public pendingOwner;
    uint256 public ownerProposedAt;
    bool public frozen;

    constructor(KassaFactory factory) {
        vm.prank(owner);
        vault = factory.createVault(0, collector);
    }

    /// Twelve to sixty hours, so that some proposals ripen and some do not.
    function wait(uint32 seconds_) external {
        time += 12 hours + seconds_ % 48 hours;
        vm.warp(time);
    }

    function proposeCollector(uint8 who, uint8 whom) external {
        address to = people[whom % 4];
        bool may = people[who % 4] == owner && !frozen && to != owner;
        if (_act(who, abi.encodeCall(KassaVault.proposeCollector, (to)), may)) (pendingCollector, proposedAt) = (to, time);
    }

    function acceptCollector(uint8 who) external {
        address by = people[who % 4];
        bool may = proposedAt != 0 && time >= proposedAt + 48 hours && (by == owner || by == pendingCollector);
        if (!_act(who, abi.encodeCall(KassaVault.acceptCollector, ()), may)) return;
        collector = pendingCollector;
        (pendingCollector, proposedAt) = (address(0), 0);
    }

    function cancelCollector(uint8 who) external {
        address by = people[who % 4];
        bool may = proposedAt != 0 && (by == owner || by == collector);
        if (_act(who, abi.encodeCall(KassaVault.cancelCollector, ()), may)) (pendingCollector, proposedAt) = (address(0), 0);
    }

    /// Rarely, because it ends the game.
    function freeze(uint8 who, uint8 dice) external {
        if (dice > 10) return;
        if (!_act(who, abi.encodeCall(KassaVault.freezeCollector, ()), people[who % 4] == owner)) return;
        frozen = true;
        (pendingCollector, proposedAt) = (address(0), 0);
    }

    function proposeOwner(uint8 who, uint8 whom) external {
        address to = people[whom % 4];
        bool may = people[who % 4] == owner && to != collector;
        if (_act(who, abi.encodeCall(KassaVault.proposeOwner, (to)), may)) (pendingOwner, ownerProposedAt) = (to, time);
    }

    function acceptOwner(uint8 who) external {
        address by = people[who % 4];
        bool ripe = ownerProposedAt != 0 && time >= ownerProposedAt + 48 hours;
        if (!_act(who, abi.encodeCall(KassaVault.acceptOwner, ()), ripe && by == pendingOwner && by != collector)) return;
        owner = by;
        (pendingOwner, ownerProposedAt) = (address(0), 0);
        (pendingCollector, proposedAt) = (address(0), 0);
    }

    function cancelOwner(uint8 who) external {
        address by = people[who % 4];
        bool may = ownerProposedAt != 0 && (by == owner || by == collector);
        if (_act(who, abi.encodeCall(KassaVault.cancelOwner, ()), may)) (pendingOwner, ownerProposedAt) = (address(0), 0);
    }

    function _act(uint8 who, bytes memory data, bool may) private returns (bool ok) {
        vm.prank(people[who % 4]);
        (ok,) = address(vault).call(data);
        require(ok == may, ok ? "I4: done though it must not" : "I4: refused though it may");
    }
}

contract TimeTest {
    KassaFactory private factory;
    KassaVault private vault;
    People private people;
    address private constant COLD = address(0xC01D);
    address private constant NEXT = address(0xC02D);

    function setUp() public {
        vm.warp(1e9);
        factory = newFactory();
        vault = factory.createVault(bytes32(uint256(1)), COLD);
        people = new People(factory);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(people);
    }

    /// forge-config: default.invariant.fail-on-revert = true
    function invariant_I4_the_vault_follows_the_rules_of_time() public view {
        KassaVault v = people.vault();
        require(v.owner() == people.owner() && v.collector() == people.collector(), "I4: owner or collector");
        require(v.pendingCollector() == people.pendingCollector(), "I4: pending collector");
        require(v.pendingOwner() == people.pendingOwner() && v.frozen() == people.frozen(), "I4: pending owner");
        uint256 since = people.proposedAt();
        require(v.collectorReadyAt() == (since == 0 ? 0 : since + 48 hours), "I4: when it ripens");
    }

    function test_I4_not_a_second_before_48_hours() public {
        vault.proposeCollector(NEXT);
        vm.warp(1e9 + 48 hours - 1);
        vm.expectRevert(KassaVault.TooEarly.selector);
        vault.acceptCollector();
        vm.warp(1e9 + 48 hours);
        vm.prank(NEXT);
        vault.acceptCollector();
        require(vault.collector() == NEXT);
    }

    function test_I4_a_second_proposal_starts_anew() public {
        vault.proposeCollector(NEXT);
        vm.warp(1e9 + 47 hours);
        vault.proposeCollector(address(0xC03D));
        vm.warp(1e9 + 48 hours);
        vm.expectRevert(KassaVault.TooEarly.selector);
        vault.acceptCollector();
    }

    function test_I4_the_collector_refuses_even_when_it_is_ripe() public {
        vault.proposeCollector(NEXT);
        vm.warp(1e9 + 72 hours);
        vm.prank(COLD);
        vault.cancelCollector();
        vm.expectRevert(KassaVault.NothingPending.selector);
        vault.acceptCollector();
    }

    function test_I4_a_freeze_is_final_and_clears_what_was_pending() public {
        vault.proposeCollector(NEXT);
        vault.freezeCollector();
        vm.warp(1e9 + 48 hours);
        vm.expectRevert(KassaVault.NothingPending.selector);
        vault.acceptCollector();
        vm.expectRevert(KassaVault.Frozen.selector);
        vault.proposeCollector(NEXT);
    }

    function test_I4_a_new_owner_clears_what_was_pending() public {
        vault.proposeOwner(NEXT);
        vault.proposeCollector(address(0xC03D));
        vm.warp(1e9 + 48 hours);
        vm.prank(NEXT);
        vault.acceptOwner();
        require(vault.owner() == NEXT && vault.pendingCollector() == address(0));
        vm.expectRevert(KassaVault.NothingPending.selector);
        vault.acceptCollector();
    }

    function test_I4_nobody_else_accepts_what_is_ripe() public {
        vault.proposeCollector(NEXT);
        vault.proposeOwner(address(0xC03D));
        vm.warp(1e9 + 72 hours);
        vm.prank(address(0xBAD));
        vm.expectRevert(KassaVault.NotOwner.selector);
        vault.acceptCollector();
        vm.expectRevert(KassaVault.NotOwner.selector);
        vault.acceptOwner();
    }

    function test_I4_the_collector_refuses_a_new_owner() public {
        vault.proposeOwner(NEXT);
        vm.warp(1e9 + 72 hours);
        vm.prank(COLD);
        vault.cancelOwner();
        vm.prank(NEXT);
        vm.expectRevert(KassaVault.NothingPending.selector);
        vault.acceptOwner();
    }

    function test_owner_and_collector_stay_apart() public {
        vm.expectRevert(KassaVault.BadAddress.selector);
        vault.proposeCollector(address(this));
        vm.expectRevert(KassaVault.BadAddress.selector);
        vault.proposeOwner(COLD);
        vault.proposeOwner(NEXT);
        vault.proposeCollector(NEXT);
        vm.warp(1e9 + 48 hours);
        vault.acceptCollector();
        vm.prank(NEXT);
        vm.expectRevert(KassaVault.BadAddress.selector);
        vault.acceptOwner();
    }

    function test_nothing_is_withdrawn_that_is_not_pending() public {
        vm.expectRevert(KassaVault.NothingPending.selector);
        vault.cancelCollector();
        vm.expectRevert(KassaVault.NothingPending.selector);
        vault.cancelOwner();
    }
}
