"""What Blender is told to do with a scene: a script for an interpreter that has `bpy`.

The script is text, never imported here: bpy is GPL-3.0, close to 1 GB, and tied to one Python. It
reads a job (JSON, of `harness.scenes.engines.blender_job`) from the file named last but one and
writes a PNG to the file named last.
"""

from __future__ import annotations

SCRIPT = """
import json
import math
import sys

import bpy
from mathutils import Vector

job = json.load(open(sys.argv[-2], encoding="utf-8"))
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def material(name, color, metal, rough):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Metallic"].default_value = metal
    shader.inputs["Roughness"].default_value = rough
    return made


def bevel(thing, width):
    rounding = thing.modifiers.new("bevel", "BEVEL")
    rounding.width, rounding.segments, rounding.limit_method = width, 4, "ANGLE"


for item in job["objects"]:
    r, place = item["radius"], (item["x"], item["y"], item["radius"])
    if item["shape"] == "sphere":
        bpy.ops.mesh.primitive_uv_sphere_add(segments=96, ring_count=48, radius=r, location=place)
    elif item["shape"] == "cube":
        bpy.ops.mesh.primitive_cube_add(size=2 * r, location=place)
    else:
        bpy.ops.mesh.primitive_cylinder_add(vertices=128, radius=r, depth=2 * r, location=place)
    thing = bpy.context.object
    thing.rotation_euler = (0.0, 0.0, math.radians(item["turn_deg"]))
    if item["shape"] == "sphere":
        bpy.ops.object.shade_smooth()
    else:
        bevel(thing, 0.05 * r)
    thing.data.materials.append(material(item["id"], item["color"], item["metal"], item["rough"]))

bpy.ops.mesh.primitive_plane_add(size=400.0)
bpy.context.object.data.materials.append(material("ground", job["ground"], 0.0, 1.0))

for light in job["lights"]:
    data = bpy.data.lights.new(light["name"], "AREA")
    data.shape, data.size = "SQUARE", light["side"]
    data.energy, data.color = light["power"], light["color"]
    lamp = bpy.data.objects.new(light["name"], data)
    lamp.location = light["position"]
    lamp.rotation_euler = (-Vector(light["position"])).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(lamp)

scene.world = bpy.data.worlds.new("world")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (*job["ambient"], 1.0)

lens = bpy.data.cameras.new("camera")
lens.sensor_fit, lens.angle = "AUTO", math.radians(job["camera"]["fov_deg"])
camera = bpy.data.objects.new("camera", lens)
camera.location = job["camera"]["position"]
camera.rotation_euler = [math.radians(part) for part in job["camera"]["rotation_deg"]]
scene.collection.objects.link(camera)
scene.camera = camera

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples, scene.cycles.seed = job["samples"], job["seed"]
# Denoising and adaptive sampling make two runs of one scene differ.
scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = False
scene.render.resolution_x, scene.render.resolution_y = job["width"], job["height"]
scene.render.resolution_percentage = 100
scene.view_settings.view_transform = "Standard"
scene.render.image_settings.file_format = "PNG"
scene.render.image_settings.color_mode = "RGB"
scene.render.image_settings.color_depth = "8"
scene.render.filepath = sys.argv[-1]
bpy.ops.render.render(write_still=True)
"""

__all__ = ["SCRIPT"]
