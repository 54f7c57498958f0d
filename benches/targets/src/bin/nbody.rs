//! The planets' orbits over as many steps as the input says, in f64; the output is the energy and all positions.

#![no_main]

bench_targets::component!(nbody);

const STEP: f64 = 0.01;
const PI: f64 = std::f64::consts::PI;
const SOLAR_MASS: f64 = 4.0 * PI * PI;
const YEAR: f64 = 365.24;

#[derive(Clone, Copy)]
struct Body {
    position: [f64; 3],
    velocity: [f64; 3],
    mass: f64,
}

/// The Sun, Jupiter, Saturn, Uranus and Neptune, in astronomical units, days and solar masses.
const BODIES: [Body; 5] = [
    Body { position: [0.0; 3], velocity: [0.0; 3], mass: 1.0 },
    Body {
        position: [4.841_431_442_464_72, -1.160_320_044_027_428_4, -0.103_622_044_471_123_11],
        velocity: [0.001_660_076_642_744_037, 0.007_699_011_184_197_404, -0.000_069_046_001_697_206_3],
        mass: 0.000_954_791_938_424_326_6,
    },
    Body {
        position: [8.343_366_718_244_58, 4.124_798_564_124_305, -0.403_523_417_114_321],
        velocity: [-0.002_767_425_107_268_624, 0.004_998_528_012_349_172, 0.000_023_041_729_757_376_393],
        mass: 0.000_285_885_980_666_130_8,
    },
    Body {
        position: [12.894_369_562_139_131, -15.111_151_401_698_631, -0.223_307_578_892_655_74],
        velocity: [0.002_964_601_375_647_616, 0.002_378_471_739_594_809_5, -0.000_029_658_956_854_023_756],
        mass: 0.000_043_662_440_433_515_63,
    },
    Body {
        position: [15.379_697_114_850_917, -25.919_314_609_987_964, 0.179_258_772_950_371_18],
        velocity: [0.002_680_677_724_903_893_2, 0.001_628_241_700_382_423, -0.000_095_159_225_451_971_59],
        mass: 0.000_051_513_890_204_661_145,
    },
];

fn nbody(input: &[u8]) -> Vec<u8> {
    let mut bodies = BODIES;
    for body in &mut bodies {
        body.velocity = body.velocity.map(|v| v * YEAR);
        body.mass *= SOLAR_MASS;
    }
    for axis in 0..3 {
        let momentum: f64 = bodies.iter().map(|body| body.velocity[axis] * body.mass).sum();
        bodies[0].velocity[axis] = -momentum / SOLAR_MASS;
    }
    for _ in 0..bench_targets::count(input) {
        advance(&mut bodies);
    }
    let positions = bodies.iter().flat_map(|body| body.position);
    std::iter::once(energy(&bodies)).chain(positions).flat_map(f64::to_le_bytes).collect()
}

fn between(one: &Body, other: &Body) -> ([f64; 3], f64) {
    let d = std::array::from_fn(|axis| one.position[axis] - other.position[axis]);
    let [x, y, z] = d;
    (d, x * x + y * y + z * z)
}

fn advance(bodies: &mut [Body; 5]) {
    for i in 0..bodies.len() {
        let (head, tail) = bodies.split_at_mut(i + 1);
        let one = &mut head[i];
        for other in tail {
            let (d, square) = between(one, other);
            let magnitude = STEP / (square * square.sqrt());
            for axis in 0..3 {
                one.velocity[axis] -= d[axis] * other.mass * magnitude;
                other.velocity[axis] += d[axis] * one.mass * magnitude;
            }
        }
    }
    for body in bodies {
        for axis in 0..3 {
            body.position[axis] += STEP * body.velocity[axis];
        }
    }
}

fn energy(bodies: &[Body]) -> f64 {
    let mut energy = 0.0;
    for (i, one) in bodies.iter().enumerate() {
        energy += 0.5 * one.mass * one.velocity.iter().map(|v| v * v).sum::<f64>();
        for other in &bodies[i + 1..] {
            energy -= one.mass * other.mass / between(one, other).1.sqrt();
        }
    }
    energy
}
