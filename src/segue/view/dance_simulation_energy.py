"""Old place of the energy of a simulated dance, which is in `dance_simulation_forces`."""

from segue.view.dance_simulation_forces import dance_energy as dance_energy
