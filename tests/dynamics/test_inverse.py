import threading

import numpy as np
import pytest

from segue.dynamics import GRAVITY, Tree, inverse_dynamics, inverse_dynamics_adjoint, inverse_dynamics_jacobians
from segue.errors import ArgumentError
from tests.dynamics import balafoutis
from tests.support.trees import pinocchio_model, random_motion, random_tree

pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle of these tests")

SLOPE = (0.4, -9.7, 1.1)


def worst(found: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest error relative to the largest value, or to 1 where all values are tiny."""
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1.0))


def joints_of(seed: int) -> int:
    """Return 1 to 100, small trees more often than large ones."""
    return {0: 100, 1: 1}.get(seed, int(np.random.default_rng(seed).integers(1, 10 if seed % 2 else 101)))


def pinocchio_derivatives(model, data, q, qd, qdd) -> tuple[np.ndarray, ...]:
    pin.computeRNEADerivatives(model, data, q, qd, qdd)
    inertia = np.triu(data.M) + np.triu(data.M, 1).T
    return data.tau.copy(), data.dtau_dq.copy(), data.dtau_dv.copy(), inertia


@pytest.mark.parametrize("group", range(10))
def test_torques_and_adjoint_agree_with_pinocchio_on_random_trees(group: int) -> None:
    for seed in range(group * 20, group * 20 + 20):
        joints = joints_of(seed)
        tree = random_tree(seed, joints)
        model = pinocchio_model(tree, SLOPE)
        data = model.createData()
        q, qd, qdd = random_motion(seed, 3, joints)
        seeds = np.random.default_rng(seed).normal(size=(3, joints))
        tau, by = inverse_dynamics_adjoint(tree, q, qd, qdd, seeds, gravity=SLOPE)
        np.testing.assert_array_equal(tau, inverse_dynamics(tree, q, qd, qdd, gravity=SLOPE))
        for t in range(3):
            expected, by_q, by_qd, by_qdd = pinocchio_derivatives(model, data, q[t], qd[t], qdd[t])
            assert worst(tau[t], expected) < 1e-9, f"torques of tree {seed}"
            assert worst(by.q[t], by_q.T @ seeds[t]) < 1e-8, f"adjoint by q of tree {seed}"
            assert worst(by.qd[t], by_qd.T @ seeds[t]) < 1e-8, f"adjoint by qd of tree {seed}"
            assert worst(by.qdd[t], by_qdd.T @ seeds[t]) < 1e-8, f"adjoint by qdd of tree {seed}"


@pytest.mark.parametrize("seed", range(12))
def test_jacobians_agree_with_pinocchio(seed: int) -> None:
    joints = joints_of(seed)
    tree = random_tree(seed, joints)
    model = pinocchio_model(tree, SLOPE)
    data = model.createData()
    q, qd, qdd = random_motion(seed, 9, joints)
    tau, by = inverse_dynamics_jacobians(tree, q, qd, qdd, gravity=SLOPE)
    for t in range(9):
        expected, *jacobians = pinocchio_derivatives(model, data, q[t], qd[t], qdd[t])
        assert worst(tau[t], expected) < 1e-9
        for found, wanted in zip(by, jacobians, strict=True):
            assert worst(found[t], wanted) < 1e-8


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("wrenched", [False, True])
def test_everything_agrees_with_complex_steps_through_the_tensor_equations(seed: int, wrenched: bool) -> None:
    """Here children come in any order, not only depth first, and wrenches act on every body."""
    joints = 2 + 3 * seed
    tree = random_tree(seed, joints, depth_first=False, sliders=0.4)
    q, qd, qdd = random_motion(seed, 10, joints)
    rng = np.random.default_rng(seed + 100)
    wrenches = rng.normal(size=(10, joints, 6)) * 5.0 if wrenched else None
    seeds = rng.normal(size=(10, joints))
    tau, by = inverse_dynamics_adjoint(tree, q, qd, qdd, seeds, gravity=SLOPE, wrenches=wrenches)
    _, jacobians = inverse_dynamics_jacobians(tree, q, qd, qdd, gravity=SLOPE, wrenches=wrenches)
    for t in (0, 7, 9):
        loads = None if wrenches is None else wrenches[t]
        arguments = (tree, q[t], qd[t], qdd[t], np.array(SLOPE), loads)
        assert worst(tau[t], balafoutis.torques(*arguments)) < 1e-12
        for found, whole, exact in zip(by, jacobians, balafoutis.derivatives(*arguments), strict=True):
            assert worst(whole[t], exact) < 1e-12
            assert worst(found[t], exact.T @ seeds[t]) < 1e-12


def test_external_wrenches_agree_with_pinocchio() -> None:
    tree = random_tree(5, 20)
    model = pinocchio_model(tree, SLOPE)
    data = model.createData()
    q, qd, qdd = random_motion(5, 4, 20)
    wrenches = np.random.default_rng(5).normal(size=(4, 20, 6)) * 10.0
    tau = inverse_dynamics(tree, q, qd, qdd, gravity=SLOPE, wrenches=wrenches)
    for t in range(4):
        loads = pin.StdVec_Force()
        loads.append(pin.Force.Zero())
        for wrench in wrenches[t]:
            loads.append(pin.Force(wrench[:3], wrench[3:]))
        assert worst(tau[t], pin.rnea(model, data, q[t], qd[t], qdd[t], loads)) < 1e-12


def test_derivatives_by_finite_differences() -> None:
    tree = random_tree(11, 15)
    q, qd, qdd = random_motion(11, 2, 15)
    seeds = np.random.default_rng(0).normal(size=(2, 15))
    _, by = inverse_dynamics_adjoint(tree, q, qd, qdd, seeds)
    direction = np.random.default_rng(1).normal(size=(3, 2, 15))
    step = 1e-6

    def scalar(s: float) -> float:
        return float(np.sum(seeds * inverse_dynamics(tree, *(np.stack([q, qd, qdd]) + s * direction))))

    numeric = (scalar(step) - scalar(-step)) / (2 * step)
    assert sum(np.sum(d * g) for d, g in zip(direction, by, strict=True)) == pytest.approx(numeric, rel=1e-6)


def test_samples_do_not_touch_each_other() -> None:
    """However many samples are given together, each comes out as if it were alone."""
    tree = random_tree(3, 12)
    q, qd, qdd = random_motion(3, 21, 12)
    together = inverse_dynamics(tree, q, qd, qdd)
    for t in (0, 6, 7, 8, 20):
        alone = inverse_dynamics(tree, q[t : t + 1], qd[t : t + 1], qdd[t : t + 1])
        np.testing.assert_array_equal(together[t], alone[0])


def test_a_pendulum_at_rest_holds_its_weight() -> None:
    tree = Tree(
        parents=np.array([-1]),
        axes=np.array([[0.0, 0.0, 1.0]]),
        offsets=np.zeros((1, 3)),
        masses=np.array([2.0]),
        centres=np.array([[0.5, 0.0, 0.0]]),
        inertias=np.zeros((1, 3, 3)),
    )
    angles = np.linspace(-3.0, 3.0, 13)[:, None]
    tau = inverse_dynamics(tree, angles, 0 * angles, 0 * angles)
    np.testing.assert_allclose(tau, -2.0 * GRAVITY[1] * 0.5 * np.cos(angles), atol=1e-12)


def test_many_threads_get_the_same_answer() -> None:
    tree = random_tree(8, 30)
    motion = random_motion(8, 40, 30)
    expected = inverse_dynamics_adjoint(tree, *motion, motion[0])[1].q
    results: list[np.ndarray] = []

    def work() -> None:
        for _ in range(20):
            results.append(inverse_dynamics_adjoint(tree, *motion, motion[0])[1].q)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert all(np.array_equal(result, expected) for result in results)


def test_bad_motions_are_refused_with_the_joint_and_sample() -> None:
    tree = random_tree(1, 4, sliders=0.0)
    good = np.zeros((3, 4))
    bad = good.copy()
    bad[2, 1] = np.nan
    with pytest.raises(ArgumentError, match=r"qd of joint 1 at sample 2"):
        inverse_dynamics(tree, good, bad, good)
    with pytest.raises(ArgumentError, match=r"q must have shape \(samples, 4\)"):
        inverse_dynamics(tree, np.zeros((3, 5)), good, good)
    with pytest.raises(ArgumentError, match=r"qdd must have shape \(3, 4\)"):
        inverse_dynamics(tree, good, good, np.zeros((2, 4)))
    with pytest.raises(ArgumentError, match="q must have shape"):
        inverse_dynamics(tree, np.zeros((0, 4)), good, good)
    with pytest.raises(ArgumentError, match="within"):
        inverse_dynamics(tree, good + 1e7, good, good)
    with pytest.raises(ArgumentError, match="gravity"):
        inverse_dynamics(tree, good, good, good, gravity=(0.0, 1.0))
    with pytest.raises(ArgumentError, match="wrenches"):
        inverse_dynamics(tree, good, good, good, wrenches=np.zeros((3, 4, 3)))
