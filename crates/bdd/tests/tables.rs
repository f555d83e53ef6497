//! Random functions of six variables against their truth tables, which are numbers of 64 bits; garbage is
//! collected and variables are reordered in between.

mod random;

use bdd::{Bdd, BddVar, Cube, Manager, Policy, Renaming};
use random::Random;
use support::Monitor;

/// In which valuations a variable is true.
fn column(var: usize) -> u64 {
    (0..64).filter(|row| row >> var & 1 == 1).map(|row| 1 << row).sum()
}

fn exists(table: u64, var: usize) -> u64 {
    let (one, zero) = (table & column(var), table & !column(var));
    let shift = 1 << var;
    one | zero | one >> shift | zero << shift
}

struct Lab {
    manager: Manager,
    vars: Vec<BddVar>,
    pool: Vec<(Bdd, u64)>,
    random: Random,
    swap_first: Renaming,
}

impl Lab {
    fn new(seed: u64, policy: Policy) -> Self {
        let mut manager = Manager::new(&Monitor::new(), policy);
        let mut vars = Vec::new();
        for _ in 0..3 {
            vars.extend(manager.add_group::<2>());
        }
        let swap_first = manager.renaming(&[(vars[0], vars[1]), (vars[2], vars[3])]);
        let mut pool = Vec::new();
        for (index, &var) in vars.iter().enumerate() {
            pool.push((manager.var(var).expect("room"), column(index)));
        }
        Self { manager, vars, pool, random: Random(seed), swap_first }
    }

    fn any(&mut self) -> (Bdd, u64) {
        let index = self.random.below(self.pool.len());
        self.pool[index].clone()
    }

    fn some_vars(&mut self) -> (Cube, Vec<usize>) {
        let mask = self.random.below(64);
        let chosen: Vec<usize> = (0..6).filter(|var| mask >> var & 1 == 1).collect();
        let cube = self.manager.cube(chosen.iter().map(|&var| self.vars[var])).expect("room");
        (cube, chosen)
    }

    fn step(&mut self) {
        let (a, ta) = self.any();
        let (b, tb) = self.any();
        let (c, tc) = self.any();
        let operation = self.random.below(10);
        let made = match operation {
            0 => (self.manager.and(&a, &b), ta & tb),
            1 => (self.manager.or(&a, &b), ta | tb),
            2 => (self.manager.xor(&a, &b), ta ^ tb),
            3 => (self.manager.ite(&a, &b, &c), ta & tb | !ta & tc),
            4 => (self.manager.minus(&a, &b), ta & !tb),
            5 => {
                let (cube, vars) = self.some_vars();
                (self.manager.exists(&a, &cube), vars.iter().fold(ta, |t, &v| exists(t, v)))
            }
            6 => {
                let (cube, vars) = self.some_vars();
                let table = vars.iter().fold(ta & tb, |t, &v| exists(t, v));
                (self.manager.and_exists(&a, &b, &cube), table)
            }
            7 => {
                let simple = self.manager.restrict(&a, &b).expect("room");
                let table = self.table(&simple);
                assert_eq!(table & tb, ta & tb, "restrict");
                (Ok(simple), table)
            }
            8 => {
                // Neither of the variables that are renamed into others occurs beside them.
                let cube = self.manager.cube([self.vars[1], self.vars[3]]).expect("room");
                let f = self.manager.exists(&a, &cube).expect("room");
                let table = self.table(&f);
                let renamed = (0..64u64)
                    .filter(|row| {
                        let from = row & !0b1111 | (row >> 1 & 1) | (row >> 3 & 1) << 2;
                        table >> from & 1 == 1
                    })
                    .map(|row| 1 << row)
                    .sum();
                (self.manager.rename(&f, self.swap_first), renamed)
            }
            _ => (Ok(a.not()), !ta),
        };
        let set = made.0.expect("room");
        assert_eq!(self.table(&set), made.1, "operation {operation}");
        self.keep(set, made.1);
    }

    fn keep(&mut self, set: Bdd, table: u64) {
        if self.pool.len() < 40 {
            self.pool.push((set, table));
        } else {
            let index = self.random.below(self.pool.len());
            self.pool[index] = (set, table);
        }
    }

    fn table(&self, set: &Bdd) -> u64 {
        let truth = |row: u64| {
            self.manager.contains(set, |var| {
                let index = self.vars.iter().position(|&other| other == var);
                row >> index.expect("a variable") & 1 == 1
            })
        };
        (0..64).filter(|&row| truth(row)).map(|row| 1 << row).sum()
    }

    /// All that is held is what it was, and equal functions are equal.
    fn check(&self) {
        self.manager.assert_sound();
        for (set, table) in &self.pool {
            assert_eq!(self.table(set), *table);
            let density = f64::from(table.count_ones()) / 64.0;
            assert_eq!(self.manager.density(set), density);
            let picked = self.manager.pick(set);
            assert_eq!(picked.is_some(), *table != 0);
            if let Some(picked) = picked {
                let value = |var| picked.iter().any(|&(other, is)| other == var && is);
                assert!(self.manager.contains(set, value));
            }
            for (other, other_table) in &self.pool {
                assert_eq!(set == other, table == other_table);
            }
        }
    }
}

#[test]
fn functions_are_their_tables() {
    for seed in 0..30 {
        println!("seed {seed}");
        let mut lab =
            Lab::new(seed, Policy { most_nodes: 1 << 20, reorder_at: None, ..Policy::default() });
        for step in 0..400 {
            lab.step();
            if step % 97 == 96 {
                lab.manager.reorder().expect("room");
                lab.check();
            }
        }
        lab.check();
    }
}
