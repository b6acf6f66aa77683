"""Policies that other people's tools have trained, brought into the folders that `policy:FOLDER` plays."""
